/// The first words of statements that are not commands.
enum ScriptKeyword: String, CaseIterable {
  case letValue = "let"
  case forLoop = "for"
  case whileLoop = "while"
  case ifBlock = "if"
  case elseBranch = "else"
  case end
  case parallel
  case print
  case expect
  case source
  case onError = "on-error"
  case breakLoop = "break"
  case continueLoop = "continue"
  case summary
  case argument
  case option
  case flag

  /// The meaning, for completion; nil for declarations, which only files have.
  var meaning: String? {
    switch self {
    case .letValue: "Set a variable"
    case .forLoop: "Repeat a block for each element"
    case .whileLoop: "Repeat a block"
    case .ifBlock: "Run a block if a condition holds"
    case .elseBranch: "Begin the other branch of 'if'"
    case .end: "End a block"
    case .parallel: "Run the statements of a block at the same time"
    case .print: "Print a line"
    case .expect: "Fail unless a condition holds"
    case .source: "Run the statements of a file"
    case .onError: "Choose what a failure does"
    case .breakLoop: "End a loop"
    case .continueLoop: "Start the next iteration of a loop"
    case .summary, .argument, .option, .flag: nil
    }
  }
}
