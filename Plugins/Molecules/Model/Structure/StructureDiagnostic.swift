/// Something a reader met in a file that is wrong or unusual, and was read all the same.
struct StructureDiagnostic: Equatable, Sendable {
  enum Severity: UInt8, Equatable, Sendable {
    case note, warning, error
  }

  /// Stable short name, as `charge-unreadable`.
  var code: String
  /// What was found and what was done, lower-case start, no final stop.
  var message: String
  /// Line in the (uncompressed) file, 1-based; 0 when it concerns the whole file.
  var line: Int
  var severity: Severity
}

/// Collects diagnostics with a bound on how many are kept of each code.
struct DiagnosticLog: Equatable, Sendable {
  /// How many of one code are kept; the rest is counted in one closing entry.
  static let keptPerCode = 20

  private var entries: [StructureDiagnostic] = []
  private var counts: [String: Int] = [:]

  /// Adds an entry, or only counts it when its code has filled its share.
  mutating func add(
    _ code: String, line: Int, severity: StructureDiagnostic.Severity = .warning, _ message: @autoclosure () -> String
  ) {
    let count = counts[code, default: 0] + 1
    counts[code] = count
    guard count <= Self.keptPerCode else { return }
    entries.append(StructureDiagnostic(code: code, message: message(), line: line, severity: severity))
  }

  /// The kept entries in order of addition, then one note per code of which some were left out.
  func finished() -> [StructureDiagnostic] {
    let overfull = counts.filter { $0.value > Self.keptPerCode }.sorted { $0.key < $1.key }
    return entries
      + overfull.map { code, count in
        StructureDiagnostic(
          code: code, message: "\(count - Self.keptPerCode) more of '\(code)' are not listed", line: 0, severity: .note)
      }
  }
}
