"""What a class is given to do: lessons, letters of one's own, and what is wrong with a lesson."""
