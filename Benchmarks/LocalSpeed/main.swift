print("LocalSpeed")
