"""The one reader of numbers, dates, times, durations, units, shares and identifiers, in three languages."""
