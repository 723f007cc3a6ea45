internal import PluginAPI
