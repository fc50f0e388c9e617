"""tilesat: a declarative scheduling compiler for Spyre-class dataflow accelerators."""
