import Foundation
import TestSupport
import Testing

@testable import Host

/// A plugin 'tides' that is a program, as a folder or a package, in the versions a test needs.
struct SamplePackage {
  /// The public key of ``secretFile``, made of the bytes 0 to 31 as the seed.
  static let key = "RWR3b3JrYm5jaAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
  /// A secret key without a passphrase.
  static let secretFile = """
    untrusted comment: minisign secret key
    RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAd29ya2JuY2gAAQIDBAUGBwgJCgsMDQ4PEBESExQV\
    FhcYGRobHB0eHwOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4KbrujDw4a33bciu0h3pQG+Jc7D469ii/Cky5zrytkQ0=

    """

  var version = "1.0.0"
  var effects = ["reads"]
  var id = "tides"

  private var manifest: String {
    let effects = effects.map { "\"\($0)\"" }.joined(separator: ", ")
    return #"""
      {"protocol": 1, "run": ["sh", "main.sh"],
       "plugin": {"id": "\#(id)", "name": "Tides", "version": "\#(version)", "summary": "Shows tides"},
       "commands": [{"name": "list", "summary": "List tides", "arguments": [], "options": [], "effects": [\#(effects)],
         "output": {"schema": {"is": "any"}, "type": null, "stream": false}}]}
      """#
  }

  /// The files by name.
  var files: [(name: String, isExecutable: Bool, content: [UInt8])] {
    [
      ("main.sh", false, Array("echo \(version)\n".utf8)), ("plugin.json", false, Array(manifest.utf8)),
      ("resources/stations.csv", false, Array("id,name\n1,Brest\n".utf8)),
    ]
  }

  /// Returns the bytes of the package.
  func package() throws -> [UInt8] { try PackageArchive.bytes(of: files) }

  /// Writes the package into a folder and returns its path.
  func write(to folder: TemporaryFolder, isSigned: Bool = false) throws -> String {
    let name = "\(id)-\(version).wbplugin"
    let bytes = try package()
    if isSigned { try folder.write(try Self.signature(of: bytes), name + ".minisig") }
    return try folder.write(bytes, name).path
  }

  /// Writes the files into a folder and returns its path.
  func unpack(to folder: TemporaryFolder) throws -> String {
    for file in files { try folder.write(file.content, id + "/" + file.name) }
    return folder.url(id).path
  }

  /// Returns the file of a signature with ``secretFile``.
  static func signature(of bytes: [UInt8], comment: String = "file:test") throws -> [UInt8] {
    let secret = try MinisignSecret(Array(secretFile.utf8), path: "test.key")
    return try MinisignSignature.file(signing: bytes, comment: comment, with: secret)
  }
}
