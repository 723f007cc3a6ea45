import PluginAPI

/// A kind of JSON file that changes the interface: a setting of the same name has the file's name.
///
/// The files are in a folder of their kind, in the user's config folder or among those that ship with the program.
enum InterfaceFile: String, Sendable {
  case theme
  case keyMap = "key-map"

  /// The name that stands for no file.
  static let standardName = "standard"

  /// The folder of the files.
  var folder: String {
    switch self {
    case .theme: "themes"
    case .keyMap: "keys"
    }
  }

  /// The kind in messages.
  var noun: String {
    switch self {
    case .theme: "theme"
    case .keyMap: "key map"
    }
  }

  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 16

  /// Reads the fields of a file.
  ///
  /// - Parameters:
  ///   - name: The name, without `.json`; the standard one has no fields.
  ///   - places: The folders that may have a folder of this kind; the first with the file decides. Every start reads
  ///     the standard files, which need none.
  /// - Returns: The fields and the path of the file.
  func read(
    _ name: String, in places: @autoclosure () -> [String]
  ) throws(InterfaceFileError) -> (fields: Record, path: String) {
    if name == Self.standardName { return (Record(), "") }
    let places = places()
    let paths = name.contains("/") ? [] : places.map { "\($0)/\(folder)/\(name).json" }
    guard let path = paths.first(where: { HostFile.size($0) != nil }) else {
      throw .unknown(self, name, known: names(in: places), folder: "\(places.first ?? "")/\(folder)")
    }
    do {
      let value = try JSONReader.read(try HostFile.read(path, limit: Self.limit))
      guard let fields = value.record else {
        throw InterfaceFileError.broken(self, path: path, "it is not a JSON object")
      }
      return (fields, path)
    } catch let error as InterfaceFileError {
      throw error
    } catch let error as JSONError {
      throw .broken(self, path: path, "line \(error.line), column \(error.column): \(error.problem)")
    } catch {
      throw .broken(self, path: path, ErrorReport(error).message)
    }
  }

  /// Returns the names of all files, and the standard one.
  func names(in places: [String]) -> [String] {
    let files = places.flatMap { HostFile.names(in: "\($0)/\(folder)") }.filter { $0.hasSuffix(".json") }
    return Set(files.map { String($0.dropLast(5)) } + [Self.standardName]).sorted()
  }
}

/// An error in a theme or key map.
enum InterfaceFileError: Error, Equatable, ReportableError {
  /// There is no file of that name.
  case unknown(InterfaceFile, String, known: [String], folder: String)
  /// The file cannot be used.
  case broken(InterfaceFile, path: String, String)

  /// The kind of the file.
  var kind: InterfaceFile {
    switch self {
    case .unknown(let kind, _, _, _), .broken(let kind, _, _): kind
    }
  }

  private var code: String {
    switch self {
    case .unknown(.theme, _, _, _): "host.unknown-theme"
    case .unknown(.keyMap, _, _, _): "host.unknown-key-map"
    case .broken(.theme, _, _): "host.broken-theme"
    case .broken(.keyMap, _, _): "host.broken-key-map"
    }
  }

  var report: ErrorReport {
    switch self {
    case .unknown(let kind, let name, let known, let folder):
      ErrorReport(
        code: code, kind: .notFound, "there is no \(kind.noun) '\(name)'",
        advice: Suggestion.advice(for: name, in: known)
          ?? "use one of \(known.joined(separator: ", ")), or write '\(folder)/\(name).json'")
    case .broken(_, let path, let problem):
      ErrorReport(
        code: code, kind: .unusableInput, "'\(path)': \(problem)",
        advice: "correct the file")
    }
  }
}
