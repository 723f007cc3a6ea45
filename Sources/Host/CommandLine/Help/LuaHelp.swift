/// The help on Lua scripts.
enum LuaHelp {
  static let text = """
    A file whose name ends in .lua is a Lua 5.4 script. 'workbench script - --lua' reads one from standard input,
    'workbench exec --lua CODE' runs one that is given as an argument.

      local rows = wb.molecules.list{}                  each command is a function wb.PLUGIN.COMMAND
      local info = wb.molecules.info{"1crn"}            arguments by position, options by name
      wb.molecules.render{"1crn", mode = "cartoon"}     a dash in a name is an underscore
      for row in wb.each.molecules.list{} do … end      results one by one, while the command waits
      local ok, e = pcall(wb.molecules.info, {"none"})  e.code, e.message, e.advice, e.details, e.status
      print(arg[1])                                     the first argument; arg[0] is the script
      wb.emit(info)                                     a result of the script: text, or the form of '--json' and others
      wb.note("text"), wb.warn("text")                  messages on standard error
      picture:save("FILE.png")                          writes a picture that a command returned
      local m = require "module"                        module.lua beside the script

    Tables are lists of rows, and rows and records are tables with names. Dates are ISO 8601 text, quantities are
    {value, unit}, missing fields are nil, missing elements of lists are wb.null.

    A script may read stores such as the library, and the files among its arguments. The other rights are options:
      --allow-read, --allow-read-in FOLDER     read files, with io.open and commands
      --allow-write, --allow-write-in FOLDER   write files; change stores, for which the folder must contain them
      --allow-net                              run commands that use the network or devices
    Other programs, byte code, 'debug' and 'package' are not available (host.lua-refused). A script has 512 megabytes
    (--memory-limit) and any number of instructions (--instruction-limit); --timeout and Ctrl-C end it.

    An error that the script does not catch is reported with its file and line, and the exit status is that of the
    command. 'os.exit(STATUS)' ends the script. With '--dry-run' only the syntax is checked.
    """
}
