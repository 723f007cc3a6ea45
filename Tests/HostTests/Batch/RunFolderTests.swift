import Testing

@testable import Host

struct RunFolderTests {
  @Test func `a picture has one path for any number of shards, in folders of a thousand`() {
    #expect(RunFolder.picture(of: 1) == "files/00000/1.png")
    #expect(RunFolder.picture(of: 999) == "files/00000/999.png")
    #expect(RunFolder.picture(of: 17_000) == "files/00017/17000.png")
  }
}
