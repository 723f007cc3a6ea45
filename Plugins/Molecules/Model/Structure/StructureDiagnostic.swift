/// Something a reader met in a file that is wrong or unusual, and was read all the same.
struct StructureDiagnostic: Equatable, Sendable {
  enum Severity: UInt8, Equatable, Sendable {
    case note, warning, error
  }

  /// Stable short name, as `charge-unreadable`.
  var code: String
  /// What was found and what was done, lower-case start, no final stop.
  var message: String
  /// Where it begins in the (uncompressed) file.
  var place: FilePlace
  var severity: Severity

  /// Line in the file, 1-based; 0 when it concerns the whole file or a binary one.
  var line: Int { place.line }
  /// Column in the line, 1-based; 0 when it concerns the whole file or a binary one.
  var column: Int { place.column }
}

/// Collects diagnostics with a bound on how many are kept of each code.
struct DiagnosticLog: Equatable, Sendable {
  /// How many of one code are kept; the rest is counted in one closing entry.
  static let keptPerCode = 20

  private var entries: [StructureDiagnostic] = []
  private var counts: [String: Int] = [:]

  /// Adds an entry, or only counts it when its code has filled its share; place and text are made only for what is kept.
  mutating func add(
    _ code: String, at place: @autoclosure () -> FilePlace, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    let count = counts[code, default: 0] + 1
    counts[code] = count
    guard count <= Self.keptPerCode else { return }
    entries.append(StructureDiagnostic(code: code, message: message(), place: place(), severity: severity))
  }

  /// Whether a further entry of a code would only be counted.
  func isFull(_ code: String) -> Bool { counts[code, default: 0] >= Self.keptPerCode }

  /// The first error so far that has a place in the file.
  var firstError: StructureDiagnostic? { entries.first { $0.severity == .error && $0.place != .whole } }

  /// The kept entries in order of addition, then one note per code of which some were left out.
  func finished() -> [StructureDiagnostic] {
    let overfull = counts.filter { $0.value > Self.keptPerCode }.sorted { $0.key < $1.key }
    return entries
      + overfull.map { code, count in
        StructureDiagnostic(
          code: code, message: "\(count - Self.keptPerCode) more of '\(code)' are not listed", place: .whole,
          severity: .note)
      }
  }
}
