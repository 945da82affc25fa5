"""The journal: durable truth. Records are appended, chained, and never changed."""
