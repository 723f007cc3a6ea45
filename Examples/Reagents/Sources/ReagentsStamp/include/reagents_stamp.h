/// Empty: the stamp is in a section of the library.
