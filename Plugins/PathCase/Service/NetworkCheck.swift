/// Checks network files for problems.
enum NetworkCheck {
  /// A problem in a file.
  struct Finding: Sendable, Hashable {
    /// A Boolean value indicating whether it violates a rule of the format, rather than being merely unusual.
    var isFault: Bool
    var problem: SBMLProblem
  }

  /// Returns the problems of an SBML file: the rules that it violates, and the errors that prevent reading it.
  ///
  /// - Returns: The problems by line; those without a line come first. Nil for other formats, whose readers report the
  ///   problems.
  /// - Throws: ``SBMLError`` if the file is not well-formed XML; ``MapError`` if its format is not recognized.
  static func findings(_ bytes: [UInt8]) throws -> [Finding]? {
    guard try FormatDetector.format(of: bytes) == .sbml else { return nil }
    var found = try SBMLValidator.problems(bytes).map { Finding(isFault: true, problem: $0) }
    do {
      let known = Set(found.map { Place($0.problem) })
      let warnings = try SBMLReader.model(bytes).warnings.filter { !known.contains(Place($0)) }
      found += warnings.map { Finding(isFault: false, problem: $0) }
    } catch SBMLError.broken(let problem) where !found.contains(where: { Place($0.problem) == Place(problem) }) {
      found.append(Finding(isFault: true, problem: problem))
    } catch SBMLError.broken {}
    let order = found.indices.sorted { (found[$0].problem.line, $0) < (found[$1].problem.line, $1) }
    return order.map { found[$0] }
  }

  /// The properties by which two findings are the same.
  private struct Place: Hashable {
    var rule: Int?
    var line: Int

    init(_ problem: SBMLProblem) {
      (rule, line) = (problem.rule, problem.line)
    }
  }
}
