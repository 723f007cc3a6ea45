import Testing

@testable import PathCase

struct OverlayTableTests {
  private func read(_ text: String) throws -> [OverlayData.Entry] {
    try OverlayReader.read(Array(text.utf8)).entries
  }

  @Test(arguments: [
    "a,1.5\nb,\nc,-2e3\n", "id,value\r\na,1.5\r\nb,NA\r\nc,-2e3\r\n", "id\tfluxes\na\t1.5\nb\tnan\nc\t-2e3\n",
    "\u{FEFF}\"id\";\"value\"\n\"a\";\"1.5\"\nb\nc;-2e3",
    "# of mine\n\nid,name,flux,note\na,\"x, y\",1.5,n\nb,x\nc,,-2e3",
  ])
  func `tables of ids and numbers are read`(_ text: String) throws {
    let entries = try read(text)
    #expect(entries.map(\.id) == ["a", "b", "c"])
    #expect(entries.map(\.value) == [1.5, nil, -2000])
  }

  @Test func `a column of numbers is never guessed`() {
    for (text, code) in [
      ("id,minimum,maximum\na,0,1\n", "pathcase.str-001"), ("plain words\n", "pathcase.str-001"),
      ("", "pathcase.str-001"),
      ("id,value\na,one\n", "pathcase.typ-001"), ("a,1\nb,0x10\n", "pathcase.typ-001"),
      ("a,1\n,2\n", "pathcase.id-003"),
      ("a,1\n\"b,2\n", "pathcase.xml-001"), ("a,1\nb,1e999\n", "pathcase.typ-001"),
    ] {
      #expect(mapErrorCode { _ = try OverlayReader.read(Array(text.utf8)) } == code, "\(text)")
    }
    #expect(mapErrorCode { _ = try OverlayReader.read([0x61, 0x2C, 0xFF]) } == "pathcase.xml-005")
  }
}
