"""The judge as an instrument: its agreement with people, its noise, its error in a delta."""
