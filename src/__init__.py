"""judgecall: conformance cases, a reference oracle and adapters for engines that play Magic: The Gathering."""
