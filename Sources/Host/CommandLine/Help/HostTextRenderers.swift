import PluginAPI

/// Renders the values of the host's own commands.
struct HostTextRenderers: Sendable {
  /// Returns the text of a value; nil if its type is not one of the host's.
  func render(_ typeName: String, _ value: Value, _ request: TextRequest) throws -> StyledText? {
    switch typeName {
    case "host.command-help": try HelpText.command(value, for: request)
    case "host.group-help": HelpText.group(value, for: request)
    case "host.options-help": try HelpText.options(value, for: request)
    case "host.overview": HelpText.overview(value, for: request)
    case "host.version": StyledText(HostVersion.line)
    case "host.findings": Finding.text(of: value)
    case "host.json": StyledText(JSONWriter.text(of: value, indentation: 2))
    default: nil
    }
  }
}
