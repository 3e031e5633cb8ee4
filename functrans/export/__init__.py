"""Functions and their derivatives as C that stands alone: a file and a header, without functrans, malloc or globals."""
