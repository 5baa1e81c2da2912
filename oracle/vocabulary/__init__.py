"""The words in which cards are defined, named after the concepts of the Comprehensive Rules."""
