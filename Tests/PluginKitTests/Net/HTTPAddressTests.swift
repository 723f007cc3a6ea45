import PluginNet
import Testing

struct HTTPAddressTests {
  @Test func `texts are escaped for use anywhere in an address`() {
    #expect(HTTPAddress.escaped("a b&c=d/é?#%") == "a%20b%26c%3Dd%2F%C3%A9%3F%23%25")
    #expect(HTTPAddress.with("http://h/p", query: [("a", "1 2"), ("b", "x&y")]) == "http://h/p?a=1%202&b=x%26y")
    #expect(HTTPAddress.with("http://h/p?q=1", query: [("a", "b")]) == "http://h/p?q=1&a=b")
    #expect(HTTPAddress.appending("4HHB/../x", to: "http://h/p") == "http://h/p/4HHB%2F..%2Fx")
    #expect(HTTPAddress.appending("x", to: "http://h/p/") == "http://h/p/x")
  }

  @Test(arguments: [
    ("http://example.org", "example.org"), ("HTTPS://Example.ORG:8443/x", "example.org"),
    ("http://user:secret@host/x", "host"), ("http://[::1]:80/x", "::1"), ("ftp://host", ""), ("example.org", ""),
  ]) func `the host of an address is found`(address: String, host: String) {
    #expect(HTTPAddress.host(of: address) == host)
  }

  @Test func `passwords are not shown`() {
    #expect(HTTPAddress.shown("https://user:secret@host:1/path?q") == "https://host:1/path?q")
  }

  /// The examples of RFC 3986, section 5.4, that a page can have; fragments are not part of a request.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"),
    (";x", "http://a/b/c/;x"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://x/y", "https://x/y"), ("ht\ntp://x/\ty", "http://x/y"),
  ]) func `references on a page are resolved`(reference: String, address: String) {
    #expect(HTTPAddress.resolved(reference, against: "http://a/b/c/d;p?q") == address)
  }

  @Test(arguments: ["", "#top", "mailto:a@b.c", "javascript:alert(1)", "data:text/html,x", "http://", "//"])
  func `references that cannot be fetched are not resolved`(reference: String) {
    #expect(HTTPAddress.resolved(reference, against: "http://a/b") == nil)
  }

  @Test(arguments: [
    ("https://u:p@h/a?b=c#d", "https://h/a?b=c#d"),
    ("https://h/a?sessionID=T-1x2&x=1", "https://h/a?sessionID=•••&x=1"),
    ("https://h/?x=1&TOKEN=abc", "https://h/?x=1&TOKEN=•••"),
    ("https://h/?token&tokens=1", "https://h/?token&tokens=1"),
    ("https://h/token=1", "https://h/token=1"), ("no address", "no address"),
  ]) func `credentials are removed from shown addresses`(address: String, shown: String) {
    #expect(HTTPAddress.shown(address) == shown)
  }
}
