import Glibc
import PluginAPI

/// The rights of an agent, as the user gave them.
struct ToolRules: Sendable {
  /// The folders whose files it may name, without links.
  let roots: [String]
  /// A Boolean value indicating whether it may run commands that change something.
  let allowsWrites: Bool
  /// The plugins with personal data whose commands it may run.
  let allowed: Set<String>

  /// Creates rights.
  ///
  /// - Throws: ``AgentError/noRoot(_:)``.
  init(roots: [String], allowsWrites: Bool, allowed: Set<String>) throws(ErrorReport) {
    var real: [String] = []
    for root in roots {
      guard let folder = FilePath.real(root) else { throw AgentError.noRoot(root) }
      real.append(folder)
    }
    (self.roots, self.allowsWrites, self.allowed) = (real, allowsWrites, allowed)
  }

  /// Returns arguments in which paths are absolute.
  ///
  /// - Parameter closed: Folders of Workbench itself, whose files are never named, without links.
  /// - Throws: ``AgentError`` for a path outside the roots, and for an address that is neither http nor https.
  func checked(_ arguments: Record, of declaration: CommandDescription, closed: [String]) throws(ErrorReport) -> Record
  {
    var arguments = arguments
    for parameter in declaration.arguments + declaration.options {
      guard let value = arguments[parameter.name] else { continue }
      if let list = value.list {
        var checked: [Value] = []
        for element in list { checked.append(try self.checked(element, parameter, closed)) }
        arguments[parameter.name] = .list(checked)
      } else {
        arguments[parameter.name] = try checked(value, parameter, closed)
      }
    }
    return arguments
  }

  private func checked(_ value: Value, _ parameter: Parameter, _ closed: [String]) throws(ErrorReport) -> Value {
    guard let text = value.text else { return value }
    switch parameter.kind {
    case .inputFile, .outputFile, .folder: return .text(try path(text, closed))
    case .document:
      // An id, unless it is written like a path or there is such a file.
      let isPath = text.utf8.contains(UInt8(ascii: "/")) || inRoot(text) != nil || HostFile.size(text) != nil
      return isPath ? .text(try path(text, closed)) : value
    case .url:
      guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix) else {
        throw AgentError.notOfTheWeb(text, parameter: parameter.name)
      }
      return value
    case .text:
      // Some commands take an address or a path as text.
      if text.prefix(8).lowercased().utf8.starts(with: "file:".utf8) {
        throw AgentError.notOfTheWeb(text, parameter: parameter.name)
      }
      guard isPath(text) else { return value }
      let path = try path(text, closed)
      // A word may be the name of a file in the current folder, which is a root, and still be meant as a word.
      return text.utf8.contains(UInt8(ascii: "/")) ? .text(path) : value
    case .flag, .integer, .number, .choice, .numbers, .date: return value
    @unknown default: return value
    }
  }

  /// Returns true if a text is that of a path, or the name of a file.
  private func isPath(_ text: String) -> Bool {
    guard text.utf8.count < Int(PATH_MAX) else { return false }
    return text.hasPrefix("/") || text.hasPrefix("~") || text.split(separator: "/").contains("..") || exists(text)
      || inRoot(text) != nil
  }

  /// Returns the absolute path of a file in a root; relative paths begin at a root.
  private func path(_ text: String, _ closed: [String]) throws(ErrorReport) -> String {
    let isAbsolute = text.hasPrefix("/")
    let written =
      isAbsolute ? FilePath.absolute(text) : inRoot(text) ?? roots.first.map { FilePath.absolute($0 + "/" + text) }
    guard let written, !text.isEmpty, !text.hasPrefix("~"), !text.utf8.contains(0),
      let real = FolderAccess.resolved(written), FolderAccess.folders(roots).includes(real),
      !FolderAccess.folders(closed).includes(real)
    else { throw AgentError.outsideRoots(text, roots: roots) }
    return real
  }

  /// Returns the path of a file that exists in a root; nil if there is none.
  private func inRoot(_ text: String) -> String? {
    guard !text.hasPrefix("/"), !text.isEmpty else { return nil }
    return roots.lazy.map { FilePath.absolute($0 + "/" + text) }.first(where: exists)
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }
}
