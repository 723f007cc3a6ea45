import PluginAPI

print("workbench 0.1.0, contract \(PluginEntry.contractRevision)")
