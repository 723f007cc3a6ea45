/// Nothing: the stamp lies in a section of the library.
