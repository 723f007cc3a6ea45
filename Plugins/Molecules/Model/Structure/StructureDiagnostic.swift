import PluginAPI

/// A wrong or unusual feature of a file that did not prevent reading it.
struct StructureDiagnostic: Equatable, Sendable {
  enum Severity: UInt8, Equatable, Sendable {
    case note, warning, error
  }

  /// A stable short name, as `charge-unreadable`.
  var code: String
  /// The problem and how it was handled, lower-case start, no final stop.
  var message: String
  /// The position at which it begins in the (uncompressed) file.
  var place: FilePlace
  var severity: Severity

  /// The line in the file, 1-based; 0 if it concerns the whole file or a binary one.
  var line: Int { place.line }
  /// The column in the line, 1-based; 0 if it concerns the whole file or a binary one.
  var column: Int { place.column }
}

extension StructureDiagnostic: Model {
  static let typeName = "molecules.diagnostic"
  static let fields = Fields<StructureDiagnostic> {
    Field("severity", \.severity, "how bad it is")
    Field("code", { "molecules." + $0.code }, "stable code, molecules.what-it-is")
    Field("message", \.message, "what was found and what was done")
    Field(
      "line", \.place.statedLine, "line of the uncompressed file, from 1; null if it is about the whole file")
    Field("column", \.place.statedColumn, "column of that line where it begins, from 1, in bytes")
    Field("byte", \.place.byte, "byte of the uncompressed file, from 0, where that is binary")
  }
}

extension StructureDiagnostic.Severity: FieldValue {
  private static let names = ["note", "warning", "error"]

  static var schema: ValueSchema { .choice(names) }
  var fieldValue: Value { .text(Self.names[Int(rawValue)]) }
}

/// Collects diagnostics with a bounded number of entries for each code.
struct DiagnosticLog: Equatable, Sendable {
  /// The largest number of entries of one code; the remaining ones are counted in one closing entry.
  static let keptPerCode = 20

  private var entries: [StructureDiagnostic] = []
  private var counts: [String: Int] = [:]

  /// Adds an entry, or only counts it if its code is full; position and text are evaluated only for stored entries.
  mutating func add(
    _ code: String, at place: @autoclosure () -> FilePlace, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    let count = counts[code, default: 0] + 1
    counts[code] = count
    guard count <= Self.keptPerCode else { return }
    entries.append(StructureDiagnostic(code: code, message: message(), place: place(), severity: severity))
  }

  /// Returns true if a further entry of a code would only be counted.
  func isFull(_ code: String) -> Bool { counts[code, default: 0] >= Self.keptPerCode }

  /// The first error so far that has a position in the file.
  var firstError: StructureDiagnostic? { entries.first { $0.severity == .error && $0.place != .whole } }

  /// Returns the stored entries in order of addition, then one note per code whose further entries were only counted.
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
