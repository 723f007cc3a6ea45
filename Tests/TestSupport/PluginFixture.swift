public import Foundation

/// Plugin libraries that tests build from the sources in `Tests/Fixtures/Plugins`.
public enum PluginFixture {
  /// A failed build, with the compiler's messages.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// The bytes of `libMisbehaving.so`, which misbehaves on demand; built once.
  public static let misbehaving = Result { try swift("Misbehaving", contract: .built) }

  /// The location of a contract that a plugin is built on.
  public struct Contract: Sendable {
    /// The folder of the module.
    public var modules: URL
    /// The module map of the stamp, and the folder of its header.
    public var stampMap: URL
    public var headers: URL
    /// The folder of the library.
    public var library: URL

    public init(modules: URL, stampMap: URL, headers: URL, library: URL) {
      self.modules = modules
      self.stampMap = stampMap
      self.headers = headers
      self.library = library
    }

    /// The one that was built together with the tests.
    public static let built = Contract(
      modules: BuiltProgram.folder.appendingPathComponent("Modules"),
      stampMap: BuiltProgram.folder.appendingPathComponent("PluginStamp.build/module.modulemap"),
      headers: Checkout.root.appendingPathComponent("Sources/PluginAPI/Stamp/include"), library: BuiltProgram.folder)
  }

  /// Builds the plugin in a folder of `Tests/Fixtures/Plugins` and returns the library's bytes.
  public static func swift(_ name: String, contract: Contract) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let sources = Checkout.root.appendingPathComponent("Tests/Fixtures/Plugins/" + name)
    let stamp = folder.url("stamp.o")
    try tool(
      "clang",
      ["-c", "-fPIC", "-I", contract.headers.path, sources.appendingPathComponent("stamp.c").path, "-o", stamp.path])
    let library = folder.url("lib\(name).so")
    try tool(
      "swiftc",
      [
        "-swift-version", "6", "-parse-as-library", "-emit-library", "-module-name", name, "-I", contract.modules.path,
        "-Xcc", "-fmodule-map-file=" + contract.stampMap.path, "-L", contract.library.path, "-lPluginAPI",
        sources.appendingPathComponent(name + ".swift").path, stamp.path, "-Xlinker", "-soname", "-Xlinker",
        "lib\(name).so", "-o", library.path,
      ])
    return Array(try Data(contentsOf: library))
  }

  /// Builds a library from C and returns its bytes.
  ///
  /// - Parameters:
  ///   - isStamped: True if it has the stamp of a plugin.
  ///   - stampID: The plugin's id.
  public static func c(
    _ source: String, isStamped: Bool = true, stampID: String = "broken", flags: [String] = ["-shared", "-fPIC"]
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let stamp = isStamped ? "#include \"workbench_plugin.h\"\nWORKBENCH_PLUGIN(\"\(stampID)\", \"1.0.0\")\n" : ""
    let file = try folder.write(Array((stamp + source).utf8), "fixture.c")
    let library = folder.url("library.so")
    try tool(
      "clang", flags + ["-I", Contract.built.headers.path, "-L", folder.path.path, file.path, "-o", library.path])
    return Array(try Data(contentsOf: library))
  }

  /// Runs a build tool.
  public static func tool(_ name: String, _ arguments: [String]) throws {
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments, deadlineInSeconds: 300)
    if outcome.status != 0 { throw Failure(description: "\(name) ended with \(outcome.status): \(outcome.errors)") }
  }
}

/// Changes to a library's bytes.
extension Array<UInt8> {
  /// Returns the bytes with every occurrence of a text replaced by another text of the same length.
  public func replacing(_ text: String, with other: String) -> [UInt8] {
    let (old, new) = (Array(text.utf8), Array(other.utf8))
    precondition(old.count == new.count, "a library is patched in place")
    var copy = self
    var index = 0
    while index + old.count <= copy.count {
      if copy[index] == old[0], copy[index..<index + old.count].elementsEqual(old) {
        copy.replaceSubrange(index..<index + old.count, with: new)
        index += old.count
      } else {
        index += 1
      }
    }
    return copy
  }

  /// Returns the bytes with those at an offset replaced by others.
  public func patched(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return copy
  }
}
