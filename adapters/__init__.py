"""What an engine must offer to run the suite, and the engines that are attached already."""
