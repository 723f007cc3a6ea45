import PluginAPI

/// An option that every command accepts: its declaration and its effect.
struct GlobalOption: Sendable {
  /// The scope of an option, which determines its place in help and where it is allowed.
  enum Scope: Sendable, Hashable {
    /// One command.
    case command
    /// The whole run; not on lines of a script.
    case run
    /// A command whose result is a picture.
    case picture
    /// The result of a command, which may have an option of that name itself.
    case result
  }

  let parameter: Parameter
  let scope: Scope
  private let set: @Sendable (inout GlobalOptions, Value) throws(CommandLineError) -> Void

  init(
    _ parameter: Parameter, scope: Scope = .command,
    _ set: @escaping @Sendable (inout GlobalOptions, Value) throws(CommandLineError) -> Void
  ) {
    self.parameter = parameter
    self.scope = scope
    self.set = set
  }

  var name: String { parameter.name }

  /// Sets the option from its text; nil for a flag without a value.
  func apply(_ text: String?, to options: inout GlobalOptions) throws(CommandLineError) {
    let value: Value
    do {
      value = try text.map { (text) throws(ParameterError) in try parameter.value(parsing: text) } ?? true
    } catch {
      throw .unfitting(error)
    }
    try set(&options, value)
    options.given.insert(name)
  }

  /// Returns the option of that name.
  static func named(_ name: String) -> GlobalOption? {
    all.first { $0.name == name }
  }

  /// Reads a size such as `640x480`; a screen may be empty, a picture needs at least one pixel.
  static func size(_ text: String, option: String, least: Int = 0) throws(CommandLineError) -> Size {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (least...32_767).contains(width),
      (least...32_767).contains(height)
    else {
      throw .malformed(text, option: option, expectation: "a size such as 120x40, each from \(least) to 32767")
    }
    return Size(width: width, height: height)
  }
}
