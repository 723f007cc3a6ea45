import PluginAPI

/// An error in a selection; columns count characters from 1.
enum SelectionError: Error, Equatable {
  /// The selection is empty.
  case empty
  /// The selection is longer than the limit in characters.
  case tooLong(limit: Int)
  /// Parentheses, `not` and the like are nested too deep, or distances are too many.
  case tooDeep(column: Int, limit: Int)
  /// An unknown word.
  case unknownWord(String, column: Int, nearest: String?)
  /// Something else was expected.
  case expected(String, found: String, column: Int)
  /// A quote is not closed.
  case unclosedQuote(column: Int)
  /// A parenthesis is not closed.
  case unclosedParenthesis(column: Int)
  /// A list has too many patterns with `*` or `?`.
  case tooManyPatterns(column: Int, limit: Int)
  /// A named set is not defined as `NAME=EXPRESSION`, or its name is a word of the language.
  case unusableSet(String, reason: String)
  /// The expression of a named set has an error.
  indirect case inSet(String, SelectionError)

  /// The column of the error, from 1; nil if it has no particular position.
  var column: Int? {
    switch self {
    case .empty, .tooLong, .unusableSet: nil
    case .tooDeep(let column, _), .unknownWord(_, let column, _), .expected(_, _, let column),
      .unclosedQuote(let column), .unclosedParenthesis(let column), .tooManyPatterns(let column, _):
      column
    case .inSet(_, let error): error.column
    }
  }

  /// The error in one sentence.
  var message: String {
    switch self {
    case .empty: "the selection is empty"
    case .tooLong(let limit): "the selection has more than \(limit) characters"
    case .tooDeep(let column, let limit): "the selection is nested deeper than \(limit) at column \(column)"
    case .unknownWord(let word, let column, _): "unknown word '\(word)' at column \(column) of the selection"
    case .expected(let what, let found, let column):
      "expected \(what) at column \(column) of the selection, found \(found)"
    case .unclosedQuote(let column): "the quote at column \(column) of the selection is not closed"
    case .unclosedParenthesis(let column): "the parenthesis at column \(column) of the selection is not closed"
    case .tooManyPatterns(let column, let limit):
      "more than \(limit) names with '*' or '?' in the list at column \(column) of the selection"
    case .unusableSet(let text, let reason): "the named set '\(text)' cannot be used: \(reason)"
    case .inSet(let name, let error): "in the named set '\(name)': \(error.message)"
    }
  }

  /// The advice to the user.
  var advice: String {
    switch self {
    case .empty: "write 'all' for all atoms, or as in 'chain A and resi 5-10'"
    case .tooLong: "name parts of it as sets"
    case .tooDeep: "name parts of it as sets"
    case .unknownWord(let word, _, let nearest):
      nearest.map { "did you mean '\($0)'?" } ?? "for a name write 'resn \(word)', 'name \(word)' or 'chain \(word)'"
    case .expected: "'workbench help molecules select' tells how selections are written"
    case .unclosedQuote: "close it with the same quote"
    case .unclosedParenthesis: "close it with ')'"
    case .tooManyPatterns: "name parts of it as sets"
    case .unusableSet: "write it as in 'site=resi 5-10 and chain A'"
    case .inSet(_, let error): error.advice
    }
  }
}
