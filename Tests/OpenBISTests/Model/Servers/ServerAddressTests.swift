import Testing

@testable import OpenBIS

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("lab.example.org", "https://lab.example.org"), ("Lab.Example.org:8443/", "https://lab.example.org:8443"),
    ("https://lab.example.org/openbis/webapp/eln-lims/?menu=1#x", "https://lab.example.org"),
    ("https://example.org/biology/openbis", "https://example.org/biology"),
    ("http://127.0.0.1:8080/openbis/openbis/rmi-query-v1.json", "http://127.0.0.1:8080"),
    ("  https://[::1]:8443  ", "https://[::1]:8443"),
  ])
  func `Common spellings of an address identify a server`(words: String, base: String) {
    #expect(ServerAddress(words)?.base == base)
  }

  @Test(arguments: [
    "", "https://", "ftp://lab.example.org", "user:secret@lab.example.org", "https://user@lab.example.org",
    "lab example.org", "lab.example.org:70000", "lab.example.org:0", "https://[::1", "/openbis", "lab\\example", "-x",
  ])
  func `Malformed addresses are refused`(words: String) {
    #expect(ServerAddress(words) == nil)
  }

  @Test func `Account ids of similar names differ and contain only plain characters`() {
    let server = ServerAddress(base: "https://lab.example.org:8443")
    let ids = ["a b", "a_b", "A_B", "ä", "ö", "", "../../etc"].map { Account.id(of: $0, at: server) }
    #expect(Set(ids).count == ids.count)
    let isPlain = ids.allSatisfy { id in
      id.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) || [45, 46, 95].contains($0) }
    }
    #expect(isPlain, "\(ids)")
    #expect(ids[0].hasPrefix("lab.example.org_8443-a_b-"))
  }

  @Test(arguments: [
    ("https://anna:s@lab.example/x?a=b", "https://•••@lab.example/x?…"), ("anna:s@lab", "•••@lab"),
    ("https://anna:s?t/u@lab", "https://•••@lab"), ("anna@lab", "anna@lab"), ("lab?token=s", "lab?…"),
    ("https://lab:8443", "https://lab:8443"), ("", ""),
  ])
  func `an address is shown without its secrets`(words: String, shown: String) {
    #expect(ServerAddress.hidingSecrets(words) == shown)
  }

  @Test(arguments: [
    ("anna-130225102030405xABCDEF0123456789", "anna", false),
    ("$pat-hans-peter-130225102030405xAB", "hans-peter", true),
    ("$pat-x", nil, true), ("anna", nil, false), ("-130225102030405xAB", nil, false), ("anna-xAB", nil, false),
    ("", nil, false),
  ])
  func `a token of openBIS names its user`(text: String, user: String?, isPersonal: Bool) {
    let token = SessionToken(Secret(text))
    #expect(token.user == user && token.isPersonal == isPersonal)
  }
}
