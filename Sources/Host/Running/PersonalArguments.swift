import PluginAPI

/// Keeps what is said of people out of the files that tell what was run.
enum PersonalArguments {
  /// What stands in the place of a value.
  static let mark: Value = "…"

  /// Arguments as they may be written down: with a mark for each value that is personal.
  static func hidden(_ arguments: Record, of declaration: CommandDescription) -> Record {
    var hidden = arguments
    for parameter in declaration.arguments + declaration.options where isHidden(parameter) {
      guard let value = arguments[parameter.name], !value.isNull, value != parameter.defaultValue else { continue }
      let isList = parameter.isRepeatable && value.list != nil
      hidden[parameter.name] = isList ? .list((value.list ?? []).map { _ in mark }) : mark
    }
    return hidden
  }

  /// Whether a value is the mark of one that was left out, which nobody means to be taken as it is.
  static func isLeftOut(_ value: Value, of parameter: Parameter) -> Bool {
    isHidden(parameter) && (value == mark || value.list?.contains(mark) ?? false)
  }

  private static func isHidden(_ parameter: Parameter) -> Bool { parameter.isPersonal && parameter.kind != .flag }
}
