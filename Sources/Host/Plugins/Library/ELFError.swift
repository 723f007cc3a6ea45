/// An error for bytes that are not a shared library for this machine.
enum ELFError: Error, Equatable {
  /// Another kind of file.
  case notELF
  /// The file ends before something its headers announce; `needed` bytes would be needed.
  case truncated(needed: UInt64, have: Int)
  /// 32-bit, or the other byte order.
  case wrongClass
  /// For another processor.
  case wrongMachine(Int)
  /// An executable, object or core file; the text says which.
  case notALibrary(String)
  /// The headers contradict themselves; the text says where.
  case malformed(String)

  /// The description of the error, as the end of a sentence that begins with the file's name.
  var message: String {
    switch self {
    case .notELF: "is not a shared library: it does not begin as an ELF file"
    case .truncated(let needed, let have): "is truncated: it has \(have) bytes, but its headers require \(needed)"
    case .wrongClass: "is built for another kind of machine: this one needs 64-bit little-endian libraries"
    case .wrongMachine(let number): "is built for another processor (ELF machine \(number))"
    case .notALibrary(let kind): "is \(kind), not a shared library"
    case .malformed(let what): "is damaged: \(what)"
    }
  }

  /// The stable code.
  var code: String {
    switch self {
    case .notELF: "host.plugin-not-a-library"
    case .truncated: "host.plugin-truncated"
    case .wrongClass: "host.plugin-wrong-class"
    case .wrongMachine: "host.plugin-wrong-machine"
    case .notALibrary: "host.plugin-not-a-library"
    case .malformed: "host.plugin-damaged"
    }
  }
}
