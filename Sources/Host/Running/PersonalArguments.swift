import PluginAPI

/// Hides personal data from the files that record calls.
enum PersonalArguments {
  /// The replacement for a personal value.
  static let mark: Value = "…"

  /// Returns arguments in which every personal value is replaced by a mark.
  static func hidden(_ arguments: Record, of declaration: CommandDescription) -> Record {
    var hidden = arguments
    for parameter in declaration.arguments + declaration.options where isHidden(parameter) {
      guard let value = arguments[parameter.name], !value.isNull, value != parameter.defaultValue else { continue }
      let isList = parameter.isRepeatable && value.list != nil
      hidden[parameter.name] = isList ? .list((value.list ?? []).map { _ in mark }) : mark
    }
    return hidden
  }

  /// Returns true if a value is the mark of a hidden one, which must not be used literally.
  static func isLeftOut(_ value: Value, of parameter: Parameter) -> Bool {
    isHidden(parameter) && (value == mark || value.list?.contains(mark) ?? false)
  }

  private static func isHidden(_ parameter: Parameter) -> Bool { parameter.isPersonal && parameter.kind != .flag }
}
