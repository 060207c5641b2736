return { tram = 30, light_rail = 60 }
