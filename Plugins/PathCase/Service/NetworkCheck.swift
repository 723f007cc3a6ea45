/// Looks for what is wrong with files of networks.
enum NetworkCheck {
  /// Something that is wrong or odd.
  struct Finding: Sendable, Hashable {
    /// Whether it breaks a rule of the format, and is not merely odd.
    var isFault: Bool
    var problem: SBMLProblem
  }

  /// What is wrong with an SBML file: the rules it breaks, and what keeps it from being read.
  ///
  /// - Returns: In the order of their lines; what is of no line comes first. Nil for other formats, whose readers tell.
  /// - Throws: ``SBMLError`` if it is no well-formed XML; ``MapError`` if its format cannot be told.
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

  /// What two findings have in common that are one.
  private struct Place: Hashable {
    var rule: Int?
    var line: Int

    init(_ problem: SBMLProblem) {
      (rule, line) = (problem.rule, problem.line)
    }
  }
}
