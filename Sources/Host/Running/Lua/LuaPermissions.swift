import PluginAPI

/// The rights of a Lua script to files, stores and the network.
///
/// A script may read the library and other stores, and the files among its arguments. Everything else has to be allowed.
/// The effects that commands declare decide, so a plugin must be trusted, as everywhere.
struct LuaPermissions: Sendable, Equatable {
  private let reading: FolderAccess
  private let writing: FolderAccess
  private let usesNetwork: Bool
  /// The files among the arguments of the script, without links.
  private let files: Set<String>

  /// Creates permissions.
  ///
  /// - Parameters:
  ///   - reading: The files that the script may read.
  ///   - writing: The files that it may write.
  ///   - usesNetwork: True if it may use the network and devices.
  ///   - arguments: Its arguments: files among them may be read.
  init(
    reading: FolderAccess = .folders([]), writing: FolderAccess = .folders([]), usesNetwork: Bool = false,
    arguments: [String] = []
  ) {
    self.reading = reading
    self.writing = writing
    self.usesNetwork = usesNetwork
    files = Set(arguments.filter(HostFile.isDocument).compactMap(FilePath.real))
  }

  /// Checks that the script may read a file.
  ///
  /// - Throws: ``LuaError/notAllowed(_:option:)``, also if the path leads to nothing, unless all files may be read.
  func checkReading(_ path: String) throws(ErrorReport) {
    let isAllowed =
      FolderAccess.resolved(path).map { reading.includes($0) || files.contains($0) }
      ?? (reading == .everything && !path.utf8.contains(0))
    if !isAllowed { throw LuaError.notAllowed("read '\(path)'", option: "--allow-read") }
  }

  /// Checks that the script may write a file.
  ///
  /// - Returns: The path to open: without links if it leads to a folder that exists.
  /// - Throws: ``LuaError/notAllowed(_:option:)``, also if the path leads to nothing, unless all files may be written.
  @discardableResult func checkWriting(_ path: String) throws(ErrorReport) -> String {
    if let real = FolderAccess.resolved(path) {
      if writing.includes(real) { return real }
    } else if writing == .everything, !path.utf8.contains(0) {
      return path
    }
    throw LuaError.notAllowed("write '\(path)'", option: "--allow-write")
  }

  /// The commands that change nothing but the file that is named for their result.
  ///
  /// A parameter for a file does not say so: 'plugin pack' also writes a signature, and 'wsabi export' an audit log.
  static let fileWriters: Set<String> = [
    "bugreport", "molecules export", "molecules session save", "openbis export", "pathcase draw", "pathcase export",
    "store backup",
  ]

  /// Checks that the script may run a command with these arguments.
  ///
  /// - Parameter stores: The folders of stores and settings.
  /// - Throws: ``LuaError/notAllowed(_:option:)``.
  func check(_ entry: CommandEntry, _ arguments: Record, stores: [String]) throws(ErrorReport) {
    let declaration = entry.declaration
    let effects = declaration.effects
    // Batch runs start commands of any kind.
    let startsCommands = entry.words.hasPrefix("batch ") && effects.contains(.writes)
    if effects.contains(.network) || startsCommands, !usesNetwork {
      throw LuaError.notAllowed("run '\(entry.words)', which uses the network", option: "--allow-net")
    }
    for parameter in declaration.arguments + declaration.options {
      guard let value = arguments[parameter.name] else { continue }
      for path in (value.list ?? [value]).compactMap(\.text) { try check(path, of: parameter, effects) }
    }
    guard declaration.changesSomething else { return }
    // The file of such a command was checked; others change stores.
    let namesFile = WrittenFile.result(of: declaration).map { arguments[$0.name]?.text != nil } ?? false
    if namesFile, Self.fileWriters.contains(entry.words), effects.isDisjoint(with: [.deletes, .network]) { return }
    // Stores may not exist yet; no script chooses their paths.
    guard stores.allSatisfy({ writing.includes(FolderAccess.resolved($0) ?? FilePath.absolute($0)) }) else {
      throw LuaError.notAllowed("run '\(entry.words)', which changes stores", option: "--allow-write")
    }
  }

  private func check(
    _ path: String, of parameter: Parameter, _ effects: Set<CommandDescription.Effect>
  ) throws(ErrorReport) {
    switch parameter.kind {
    case .inputFile:
      if !Self.isStandardInput(path) { try checkReading(path) }
    case .document:
      // What is not a file is an id.
      if !Self.isStandardInput(path), RawFileNames.status(of: path) != nil { try checkReading(path) }
    case .folder:
      if effects.contains(.writes) { try checkWriting(path) } else { try checkReading(path) }
    case .outputFile: try checkWriting(path)
    case .url: try checkAddress(path)
    case .text:
      // Some commands take an address or a path as text.
      guard path.utf8.contains(UInt8(ascii: "/")) else { return }
      try checkAddress(path)
      if path.hasPrefix("~") || RawFileNames.status(of: path) != nil { try checkReading(path) }
    case .flag, .integer, .number, .choice, .numbers, .date: break
    @unknown default: break
    }
  }

  /// Refuses the address of a file, unless all files may be read.
  private func checkAddress(_ address: String) throws(ErrorReport) {
    if address.lowercased().hasPrefix("file:"), reading != .everything {
      throw LuaError.notAllowed("read '\(address)'", option: "--allow-read")
    }
  }

  private static func isStandardInput(_ path: String) -> Bool { ["-", "/dev/stdin"].contains(path) }
}
