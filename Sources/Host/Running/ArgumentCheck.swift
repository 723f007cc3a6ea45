import PluginAPI

/// Checks arguments against a command's declaration.
enum ArgumentCheck {
  /// Returns the arguments with defaults filled in and every value converted to its parameter's kind.
  ///
  /// - Throws: ``ErrorReport`` of kind usage for an unknown, missing or unfitting argument, and for one that a recorded
  ///   script left out.
  static func complete(_ arguments: Record, for declaration: CommandDescription) throws -> Record {
    let parameters = declaration.arguments + declaration.options
    for name in arguments.names where !parameters.contains(where: { $0.name == name }) {
      let nearest = Suggestion.advice(for: name, in: parameters.map(\.name))
      throw ErrorReport(
        code: "host.unknown-argument", kind: .usage, "'\(declaration.name)' has no argument or option '\(name)'",
        advice: nearest)
    }
    var complete = Record()
    for parameter in parameters {
      if let given = arguments[parameter.name], !given.isNull {
        if PersonalArguments.isLeftOut(given, of: parameter) {
          throw ErrorReport(
            code: "host.left-out", kind: .usage,
            "'\(parameter.name)' of '\(declaration.name)' was left out of the recording as personal data",
            advice: "replace '…' with the value")
        }
        do {
          complete[parameter.name] = try parameter.value(accepting: given)
        } catch {
          throw CommandLineError.unfittingArgument(error.description)
        }
      } else if parameter.isRequired {
        throw CommandLineError.missingArgument(
          "'\(declaration.name)' needs '\(parameter.name)': \(parameter.expectation)")
      } else {
        complete[parameter.name] = parameter.defaultValue
      }
    }
    return complete
  }
}

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
