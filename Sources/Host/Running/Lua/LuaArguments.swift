import PluginAPI

/// The arguments of a command that a script calls.
struct LuaArguments: Equatable {
  /// The arguments and options by name; not checked.
  var record = Record()
  /// The size of a picture; nil to let the command choose.
  var pictureSize: Size?

  /// Creates the arguments of a call.
  ///
  /// - Parameters:
  ///   - list: The arguments by position; the last one of the command takes the remaining values if it is repeatable.
  ///   - fields: The arguments and options by name; underscores stand for dashes.
  ///   - entry: The command.
  /// - Throws: ``CommandLineError``.
  init(_ list: [Value], _ fields: Record, for entry: CommandEntry) throws(CommandLineError) {
    let declared = entry.declaration.arguments
    for (index, value) in list.enumerated() where !value.isNull {
      if let last = declared.last, last.isRepeatable, index >= declared.count - 1 {
        let earlier = index == declared.count - 1 ? [] : record[last.name]?.list ?? []
        // A list in this place is the list of all values, unless values are lists.
        let values = index == declared.count - 1 && list.count == declared.count ? Self.elements(value, last) : [value]
        record[last.name] = .list(
          try (earlier + values).map { (value) throws(CommandLineError) in
            try Self.fitting(value, last)
          })
      } else if index < declared.count {
        record[declared[index].name] = try Self.fitting(value, declared[index])
      } else {
        throw .extraArgument(value.shortText, command: entry.words, limit: declared.count)
      }
    }
    for field in fields.fields where !field.value.isNull { try add(field, for: entry) }
  }

  private mutating func add(_ field: Record.Field, for entry: CommandEntry) throws(CommandLineError) {
    let name = String(decoding: field.name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    let parameters = entry.declaration.arguments + entry.declaration.options
    if let parameter = parameters.first(where: { $0.name == name }) {
      if parameter.isRepeatable {
        record[name] = .list(
          try Self.elements(field.value, parameter).map { (value) throws(CommandLineError) in
            try Self.fitting(value, parameter)
          })
      } else {
        record[name] = try Self.fitting(field.value, parameter)
      }
    } else if name == "size", entry.pictureOptions.contains(where: { $0.name == name }) {
      pictureSize = try GlobalOption.size(field.value.text ?? field.value.shortText, option: name, least: 1)
    } else {
      let known = parameters.map(\.name)
      throw .unknownOption(field.name, command: entry.words, known: known)
    }
  }

  /// Returns the values of a repeatable parameter: the elements of a list, unless the list is one value itself.
  private static func elements(_ value: Value, _ parameter: Parameter) -> [Value] {
    guard let list = value.list else { return [value] }
    if case .numbers = parameter.kind, list.allSatisfy({ $0.number != nil }) { return [value] }
    return list
  }

  /// Returns a value in the form that the parameter accepts: Lua's division makes floats of whole numbers.
  private static func fitting(_ value: Value, _ parameter: Parameter) throws(CommandLineError) -> Value {
    switch (parameter.kind, value.content) {
    case (.integer, .number(let number)): return Int(exactly: number).map(Value.integer) ?? value
    case (_, .bytes(let bytes)): throw .notUTF8(String(decoding: bytes, as: UTF8.self))
    default: return value
    }
  }
}
