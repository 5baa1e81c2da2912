"""The suite: rulings as case files. Data only; this package exists so that the files can be found."""
