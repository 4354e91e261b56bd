"""What a student has done: kept, summed up, taken along and brought back."""
