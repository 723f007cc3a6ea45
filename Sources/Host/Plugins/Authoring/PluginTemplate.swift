import Glibc
import PluginAPI

/// The files of a new plugin, from a folder of templates.
///
/// Files of a template end in `.template`. In their names and texts, `__ID__` is the plugin's id, `__MODULE__` the name
/// of its Swift module, `__VARIABLE__` the id as a variable, and `__SDK__` and `__HEADERS__` are folders of the SDK.
struct PluginTemplate: Sendable {
  /// A file of the new plugin.
  struct File: Sendable, Hashable {
    /// The path in the plugin's folder.
    var name: String
    var content: [UInt8]
  }

  private static let suffix = ".template"
  /// Modules of Swift that a plugin may import, whose names would hide them.
  private static let taken: Set<String> = [
    "Builtin", "Cxx", "Dispatch", "Distributed", "Foundation", "Glibc", "Observation", "Swift", "Synchronization",
    "Testing",
  ]

  let language: PluginLanguage
  private let sdk: PluginSDK
  private let folder: String

  /// Creates a template of an installation.
  init(_ language: PluginLanguage, installation: HostInstallation) {
    self.language = language
    sdk = PluginSDK(installation)
    folder = installation.sharedFiles + "/templates/" + language.rawValue
  }

  /// Returns the Swift module of a plugin: `tide-tables` becomes `TideTables`.
  static func moduleName(of id: String) -> String {
    let name = id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    // The host regards modules that begin with 'Plugin' as its own.
    return taken.contains(name) || name.hasPrefix("Plugin") ? "The" + name : name
  }

  /// Returns the files of a new plugin.
  func files(id: String) throws -> [File] {
    try sdk.check(for: language)
    let values = [
      "ID": id, "MODULE": Self.moduleName(of: id), "VARIABLE": String(id.map { $0 == "-" ? "_" : $0 }),
      "SDK": Self.literal(sdk.folder), "HEADERS": Self.literal(sdk.headers),
    ]
    let names = Self.names(in: folder, below: "")
    if names.isEmpty { throw AuthorError.noTemplate(language: language.rawValue, folder: folder) }
    var files = try names.map { name in
      let text = String(decoding: try HostFile.read(folder + "/" + name, limit: 1 << 20), as: UTF8.self)
      return File(name: Self.fileName(name, values), content: Array(Self.filled(text, values).utf8))
    }
    if let runtime = sdk.runtimeFile(of: language) {
      files.append(File(name: FilePath.name(of: runtime), content: try HostFile.read(runtime, limit: 1 << 20)))
    }
    return files.sorted { $0.name < $1.name }
  }

  /// Writes the files of a new plugin into a folder that does not exist yet.
  ///
  /// The folder appears as a whole or not at all.
  func write(_ files: [File], to folder: String) throws {
    let parent = FilePath.folder(of: folder)
    try HostFile.makeFolder(parent)
    let stage = try HostFile.makeTemporaryFolder(under: parent, prefix: ".workbench-new-")
    do {
      for file in files {
        let path = stage + "/" + file.name
        try Self.makeFolders(FilePath.folder(of: path), in: stage)
        try HostFile.write(file.content, to: path, mode: HostFile.resultMode, isDurable: false)
      }
      chmod(stage, 0o755)
      // An empty folder would be replaced.
      var status = stat()
      guard lstat(folder, &status) != 0 else { throw AuthorError.folderExists(folder) }
      guard rename(stage, folder) == 0 else { throw HostFileError.cannot(.write, folder, code: errno) }
    } catch {
      try? HostFile.remove(stage)
      throw error
    }
  }

  /// Makes folders as the user would, readable by others.
  private static func makeFolders(_ path: String, in stage: String) throws(HostFileError) {
    if path == stage || mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    try makeFolders(FilePath.folder(of: path), in: stage)
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .cannot(.write, path, code: errno) }
  }

  /// Returns the paths of a template's files, relative to its folder.
  private static func names(in folder: String, below prefix: String) -> [String] {
    PluginScan.names(in: folder).flatMap { name -> [String] in
      if name.hasSuffix(suffix) { return [prefix + name] }
      return names(in: folder + "/" + name, below: prefix + name + "/")
    }
  }

  private static func fileName(_ name: String, _ values: [String: String]) -> String {
    let path = filled(String(name.dropLast(suffix.count)), values)
    let file = FilePath.name(of: path)
    // Hidden files would not be installed with the program.
    return file == "gitignore" ? String(path.dropLast(file.count)) + ".gitignore" : path
  }

  /// Returns a text with values in place of `__NAME__`.
  static func filled(_ text: String, _ values: [String: String]) -> String {
    let marks = values.map { (Array(("__" + $0.key + "__").utf8), Array($0.value.utf8)) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "_"),
        let (mark, value) = marks.first(where: { bytes[index...].starts(with: $0.0) })
      {
        result += value
        index += mark.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a path as the content of a string literal of Swift.
  private static func literal(_ path: String) -> String {
    path.reduce(into: "") { $0 += $1 == "\\" || $1 == "\"" ? "\\\($1)" : String($1) }
  }
}
