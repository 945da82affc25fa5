"""Tools of the project: they write the generated pages and are not part of the package."""
