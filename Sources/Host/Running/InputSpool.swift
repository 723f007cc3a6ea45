import Glibc
import PluginAPI

/// Private copies of input that commands cannot read as a regular file: standard input (`-`), FIFOs, process
/// substitutions, and files whose names are not UTF-8.
///
/// Commands read a copy like any file, in any order and as often as they need. All copies of a command are in one
/// folder, accessible only to the user, which is removed when the command ends.
struct InputSpool: Sendable {
  /// The folder for temporary files.
  var parent: String
  /// The files to remove when the process ends early.
  var temporary: TemporaryFiles
  /// The maximum number of bytes of one input.
  var limitInBytes = 1 << 30

  /// The copies of a command's input.
  struct Copies: Sendable {
    /// The folder to remove.
    var folder: String
    /// The path of the copy for each word.
    var paths: [String: String]
  }

  /// Finds the arguments of a command that name input to copy.
  ///
  /// - Throws: ``InputSpoolError/twice`` if such input is named more than once.
  static func paths(in arguments: Record, of declaration: CommandDescription) throws(ErrorReport) -> [String] {
    var paths: [String] = []
    for parameter in declaration.arguments + declaration.options where parameter.namesInput {
      guard let value = arguments[parameter.name] else { continue }
      paths += (value.list ?? [value]).compactMap(\.text).filter(isCopied)
    }
    if paths.count(where: isStandardInput) > 1 || Set(paths).count < paths.count { throw InputSpoolError.twice }
    return paths
  }

  /// Copies input into a new folder.
  ///
  /// - Parameters:
  ///   - given: The input, as found by ``paths(in:of:)``.
  ///   - isCancelled: Polled between reads.
  /// - Throws: ``HostFileError``, `CancellationError`; nothing is left then.
  func copy(_ given: [String], isCancelled: () -> Bool) throws -> Copies {
    let folder = try HostFile.makeTemporaryFolder(under: parent, prefix: "workbench-input-")
    temporary.add(folder)
    do {
      var paths: [String: String] = [:]
      for (index, word) in given.enumerated() {
        let copyFolder = "\(folder)/\(index + 1)"
        try HostFile.makeFolder(copyFolder)
        paths[word] = try copy(word, to: copyFolder, isCancelled: isCancelled)
      }
      return Copies(folder: folder, paths: paths)
    } catch {
      temporary.remove(folder)
      throw error
    }
  }

  /// Returns the arguments of a command with the paths of copies in the place of the input.
  static func replacing(_ arguments: Record, of declaration: CommandDescription, by copies: Copies) -> Record {
    func replaced(_ value: Value) -> Value { value.text.flatMap { copies.paths[$0] }.map(Value.text) ?? value }
    var arguments = arguments
    for parameter in declaration.arguments + declaration.options where parameter.namesInput {
      guard let value = arguments[parameter.name] else { continue }
      arguments[parameter.name] = value.list.map { .list($0.map(replaced)) } ?? replaced(value)
    }
    return arguments
  }

  private func copy(_ word: String, to folder: String, isCancelled: () -> Bool) throws -> String {
    let isInput = Self.isStandardInput(word)
    let source = isInput ? STDIN_FILENO : try Self.open(word)
    defer { if !isInput { close(source) } }
    let path = folder + "/" + Self.name(of: word, source)
    let target = try HostFile.open(path, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(target) }
    let name = isInput ? "standard input" : word
    var size = 0
    while let chunk = try HostFile.readChunk(source, named: name) {
      if isCancelled() { throw CancellationError() }
      size += chunk.count
      if size > limitInBytes { throw HostFileError.tooLarge(name, limit: limitInBytes) }
      let failure = HostFile.writeAll(chunk, to: target)
      if failure != 0 { throw HostFileError.cannot(.write, path, code: failure) }
    }
    return path
  }

  /// Returns the name of a copy: that of the file or FIFO if it has one, because its extension states the format.
  private static func name(of word: String, _ descriptor: Int32) -> String {
    guard word == "-" || word.hasPrefix("/dev/") || word.hasPrefix("/proc/") else { return FilePath.name(of: word) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FilePath.linkTarget("/proc/self/fd/\(descriptor)")
    {
      return FilePath.name(of: file)
    }
    return isStandardInput(word) ? "stdin" : "input"
  }

  private static func open(_ word: String) throws(HostFileError) -> Int32 {
    guard let name = RawFileNames.bytes(of: word) else { return try HostFile.open(word, O_RDONLY) }
    let descriptor = Glibc.open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannot(.read, word, code: errno) }
    return descriptor
  }

  private static func isCopied(_ word: String) -> Bool {
    if isStandardInput(word) { return true }
    guard let type = RawFileNames.status(of: word).map({ $0.st_mode & S_IFMT }) else { return false }
    return RawFileNames.bytes(of: word) == nil ? [S_IFIFO, S_IFSOCK].contains(type) : type != S_IFDIR
  }

  /// Returns true if a path names standard input.
  static func isStandardInput(_ word: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(word)
  }
}

/// An error in naming input.
enum InputSpoolError {
  static let inputTwice = DeclaredError(
    "host.input-twice", .usage, "standard input or a pipe is named more than once")
  /// Standard input can be read only once.
  static let twice = inputTwice(
    "standard input, a pipe or a file with a name that is not UTF-8 is named more than once",
    advice: "save it to a file and name the file, or rename it")
}

extension Parameter {
  /// A Boolean value indicating whether values may be paths of files to read.
  var namesInput: Bool {
    switch kind {
    case .inputFile, .document: true
    case .flag, .text, .integer, .number, .choice, .numbers, .outputFile, .folder, .url, .date: false
    @unknown default: false
    }
  }
}
