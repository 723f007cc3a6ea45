import PluginCompression
import Testing

@Suite struct CRC32Tests {
  @Test func `the checksum is the CRC-32 of gzip and ZIP`() {
    var checksum = CRC32()
    #expect(checksum.value == 0)
    checksum.add(Array("123456789".utf8))
    // The check value of CRC-32 in the catalog of parametrized algorithms.
    #expect(checksum.value == 0xCBF4_3926)
  }

  @Test func `the checksum does not depend on how bytes are chunked`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var whole = CRC32()
    whole.add(bytes)
    for size in [1, 3, 64, 999] {
      var pieces = CRC32()
      for start in stride(from: 0, to: bytes.count, by: size) {
        pieces.add(Array(bytes[start..<min(start + size, bytes.count)]))
        pieces.add([])
      }
      #expect(pieces == whole)
    }
  }
}
