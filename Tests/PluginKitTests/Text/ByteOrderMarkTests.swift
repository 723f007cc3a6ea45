import PluginText
import Testing

struct ByteOrderMarkTests {
  @Test func `only a complete mark at the start is removed, and indices are unchanged`() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(Array((mark + [65]).withoutByteOrderMark) == [65])
    #expect((mark + [65]).withoutByteOrderMark.startIndex == 3)
    #expect(Array((mark + mark).withoutByteOrderMark) == mark)
    for bytes in [[], [65], [0xEF, 0xBB], [65] + mark] as [[UInt8]] {
      #expect(Array(bytes.withoutByteOrderMark) == bytes)
    }
    #expect(Array(([65] + mark + [66])[1...].withoutByteOrderMark) == [66])
  }
}
