import PluginCompression

/// Compressed bodies for servers of tests.
enum GzipFixture {
  static func packed(_ content: [UInt8]) throws -> [UInt8] { try Gzip.compress(content) }
}
