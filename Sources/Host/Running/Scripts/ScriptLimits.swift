/// The limits that contain scripts; time and memory of commands are limited elsewhere.
enum ScriptLimits {
  /// The nesting depth of blocks, of parentheses in conditions, and of lists.
  static let nesting = 64
  /// The depth of scripts that call or include each other.
  static let depth = 16
  /// The size of a script, in bytes.
  static let file = 1 << 26
  /// The number of statements, those of included files counted each time.
  static let statements = 4_000_000
  /// The number of words of a script, which bounds the memory that it needs before it runs.
  static let words = 4_000_000
  /// The length of a word after its variables are inserted, in bytes.
  static let word = 1 << 20
  /// The size of the value of a variable, in bytes as ``ScriptValue/size(of:)`` counts them.
  static let value = 1 << 28
  /// The size of all variables together, in bytes.
  static let variables = 1 << 29
  /// The number of statements that run at a time in a `parallel` block.
  static let parallel = 64
  /// The maximum number of loop iterations in a `parallel` block.
  static let turns = 1_000_000_000
}
