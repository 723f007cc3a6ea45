import Foundation
import TestSupport

@testable import Host

/// A source in a folder: packages, and their index with its signature.
struct SampleSource {
  /// A version in an index.
  struct Listed {
    var sample: SamplePackage
    /// Fields of the version, and of its package, after those that are right.
    var fields = ""
    var packageFields = ""
    /// The address of the package; nil for the right one.
    var address: String?
    /// The id in the index; nil for that of the package.
    var id: String?
  }

  let folder: TemporaryFolder
  /// The name of the source's folder.
  var place = "lab"

  /// The path of the folder.
  var path: String { folder.url(place).path }

  /// Writes packages and their signed index.
  ///
  /// - Returns: The text of the index.
  @discardableResult
  func publish(
    _ listed: [Listed], serial: Int = 1, expires: String = "2999-01-01", name: String = "lab"
  ) throws -> String {
    var plugins: [String] = []
    for one in listed {
      let bytes = try one.sample.package()
      let (id, version) = (one.id ?? one.sample.id, one.sample.version)
      try folder.write(bytes, Self.package(id, version, place))
      let address = one.address ?? Self.package(id, version)
      plugins.append(
        #"""
        {"id": "\#(id)", "version": "\#(version)", "summary": "Shows tides", "license": "MIT", "effects": ["reads"],
         "artifacts": [{"url": "\#(address)", "sha256": "\#(ContentHash.of(bytes) ?? "")",
           "size": \#(bytes.count), "os": "any", "arch": "any"\#(one.packageFields)}]\#(one.fields)}
        """#)
    }
    let list = plugins.joined(separator: ",\n")
    let index =
      #"{"format": 1, "name": "\#(name)", "serial": \#(serial), "expires": "\#(expires)", "plugins": [\#(list)]}"#
    try sign(Array(index.utf8))
    return index
  }

  /// Returns the path of a package in the source's folder, or in the test's folder.
  static func package(_ id: String, _ version: String, _ place: String? = nil) -> String {
    (place.map { $0 + "/" } ?? "") + "packages/\(id)-\(version).wbplugin"
  }

  /// Writes an index and its signature.
  func sign(_ index: [UInt8]) throws {
    try folder.write(index, place + "/index.json")
    try folder.write(try SamplePackage.signature(of: index), place + "/index.json.minisig")
  }
}
