import PluginAPI
import Testing

@testable import Host

struct HostFoldersTests {
  @Test func `folders are in the home, which --home and XDG variables override`() throws {
    let plain = try HostFolders(home: nil, environment: ["HOME": "/home/ada", "XDG_CACHE_HOME": "/fast"])
    #expect(plain.data == "/home/ada/.local/share/workbench" && plain.cache == "/fast/workbench")
    #expect(try HostFolders(home: "/w", environment: [:]).state == "/w/state")
  }

  @Test(arguments: [nil, "", "relative"])
  func `without a usable HOME, the password database provides it or folders are refused`(
    home: String?
  ) throws {
    let environment = home.map { ["HOME": $0] } ?? [:]
    let found = try HostFolders(home: nil, environment: environment, accountHome: { "/home/bo" })
    #expect(found.config == "/home/bo/.config/workbench")
    let error = #expect(throws: ErrorReport.self) {
      try HostFolders(home: nil, environment: environment, accountHome: { nil })
    }
    #expect(error?.report.code == "host.no-home" && error?.report.description.contains("set HOME") == true)
    let bases = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    let all = environment.merging(bases.map { ($0, "/x") }) { $1 }
    #expect(try HostFolders(home: nil, environment: all, accountHome: { nil }).state == "/x/workbench")
  }

  @Test func `plugins have the replaced state, unless they keep the user's`() throws {
    let user = try HostFolders(home: "/w", environment: [:])
    #expect(user.pluginState == "/w/state/plugins")
    for (isKept, expected) in [(false, "/x/plugins"), (true, "/w/state/plugins")] {
      var folders = user
      folders.replace(by: .init(state: "/x", keepsPluginState: isKept))
      #expect(folders.state == "/x" && folders.pluginState == expected)
    }
  }

  @Test func `the password database has a home for the current user`() throws {
    #expect(try #require(HostFolders.accountHome()).hasPrefix("/"))
  }
}
