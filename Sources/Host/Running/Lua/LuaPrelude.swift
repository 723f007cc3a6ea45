/// The Lua code that prepares the surroundings of a script.
///
/// It does not protect anything: scripts may change all of it. Their rights are checked behind `host`, by ``LuaBridge``.
enum LuaPrelude {
  /// The code; its argument is a table of C functions, its results are the script's arguments.
  static let source = #"""
    local native = ...
    local host, checked, class, is, null = native.host, native.checked, native.class, native.is, native.null
    local error, rawget, rawset, select, tonumber, tostring, type = error, rawget, rawset, select, tonumber, tostring, type
    local setmetatable, concat, unpack, pairs = native.setmetatable, table.concat, table.unpack, pairs
    local find, sub, match, format = string.find, string.sub, string.match, string.format
    local CALL, OPEN, NEXT, CLOSE, EMIT, PRINT, MESSAGE, OPEN_FILE, WRITE, SAVE, MODULE, EXIT, REFUSE, ARGUMENTS,
      FLUSH =
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

    -- What catches errors does not catch the end of the script.
    local rawpcall, rawload, rawcollect = pcall, load, collectgarbage
    function pcall(f, ...) return checked(rawpcall(f, ...)) end
    local pcall = pcall
    function xpcall(f, handler, ...)
      local function handle(ok, ...)
        if ok then return true, ... end
        return false, handler(...)
      end
      return handle(pcall(f, ...))
    end
    local resume, create, close = coroutine.resume, coroutine.create, coroutine.close
    function coroutine.resume(co, ...) return checked(resume(co, ...)) end
    function coroutine.close(co)
      checked()
      return checked(close(co))
    end
    function coroutine.wrap(f)
      local co = create(f)
      local function pass(ok, ...)
        if not ok then error((...), 0) end
        return ...
      end
      return function(...) return pass(checked(resume(co, ...))) end
    end

    -- Functions that scripts do not get.
    local function refused(name) return function() host(REFUSE, name) end end
    local function refusing(name)
      return setmetatable({}, {__index = function(_, key) return refused(name .. "." .. tostring(key)) end})
    end
    _G.setmetatable = setmetatable
    dofile, loadfile, string.dump = refused("dofile"), refused("loadfile"), refused("string.dump")
    debug, package = refusing("debug"), refusing("package")
    function load(chunk, _, _, ...) return rawload(chunk, "=(load)", "t", ...) end
    function collectgarbage(what)
      checked()
      if what == nil or what == "collect" or what == "step" then return rawcollect() end
      if what == "count" then return rawcollect("count") end
      host(REFUSE, "collectgarbage(\"" .. tostring(what) .. "\")")
    end
    local oldOS = os
    os = setmetatable(
      {clock = oldOS.clock, date = oldOS.date, difftime = oldOS.difftime, time = oldOS.time},
      getmetatable(refusing("os")))
    function os.exit(status)
      if status == nil or status == true then status = 0 elseif status == false then status = 1 end
      host(EXIT, status)
    end
    local loaded = {}
    function require(name)
      if loaded[name] == nil then
        local path, source = host(MODULE, name)
        local chunk, problem = rawload(source, "@" .. path, "t")
        if not chunk then error(problem, 0) end
        loaded[name] = true
        local result = chunk(name, path)
        if result ~= nil then loaded[name] = result end
      end
      return loaded[name]
    end

    -- Output.
    local function texts(separator, ...)
      local parts = {...}
      for index = 1, select("#", ...) do parts[index] = tostring(parts[index]) end
      return concat(parts, separator)
    end
    function print(...) host(PRINT, texts("\t", ...) .. "\n", false) end
    function warn(...) host(MESSAGE, texts("", ...), true) end
    local function writer(isError)
      local stream = {}
      function stream:write(...)
        host(PRINT, texts("", ...), isError)
        return self
      end
      function stream:flush()
        host(FLUSH)
        return self
      end
      function stream:setvbuf() return true end
      return stream
    end
    io = setmetatable({stdout = writer(false), stderr = writer(true)}, getmetatable(refusing("io")))
    function io.write(...)
      host(PRINT, texts("", ...), false)
      return io.stdout
    end

    -- Files: read as a whole, written piece by piece.
    local file = {}
    class("file", {__index = file, __name = "file", __close = function(self) self:close() end})
    local function open(path, mode)
      local ok, opened = pcall(host, OPEN_FILE, path, mode or "r")
      if ok then return opened end
      local code = type(opened) == "table" and opened.code
      if code ~= "host.unreadable-file" and code ~= "host.unwritable-file" then error(opened, 0) end
      return nil, opened.message, 2
    end
    local function contents(self)
      return rawget(self, "contents") or error("the file is closed, or open for writing", 3)
    end
    local function readOne(self, kind)
      local text, from = contents(self), self.position
      if type(kind) == "number" then
        if from > #text and kind > 0 then return nil end
        self.position = from + kind
        return sub(text, from, from + kind - 1)
      end
      kind = match(kind, "^%*?(%a)") or kind
      if kind == "a" then
        self.position = #text + 1
        return sub(text, from)
      end
      if kind == "n" then
        local _, last, digits = find(text, "^%s*([%w%.%+%-]+)", from)
        self.position = (last or from - 1) + 1
        return digits and tonumber(digits)
      end
      if kind ~= "l" and kind ~= "L" then error("'" .. kind .. "' is not a format; formats are n, a, l, L", 3) end
      if from > #text then return nil end
      local ending = find(text, "\n", from, true) or #text + 1
      self.position = ending + 1
      return sub(text, from, kind == "L" and ending or ending - 1)
    end
    function file:read(...)
      if select("#", ...) == 0 then return readOne(self, "l") end
      local results, count = {}, 0
      for index = 1, select("#", ...) do
        count = index
        results[index] = readOne(self, (select(index, ...)))
        if results[index] == nil then break end
      end
      return unpack(results, 1, count)
    end
    function file:lines(kind) return function() return readOne(self, kind or "l") end end
    function file:seek(whence, offset)
      local base = ({set = 0, cur = self.position - 1, ["end"] = #contents(self)})[whence or "cur"]
      self.position = base + (offset or 0) + 1
      return self.position - 1
    end
    function file:write(...)
      host(WRITE, self, texts("", ...))
      return self
    end
    function file:flush() return self end
    function file:close()
      if rawget(self, "handle") then host(CLOSE, self) end
      self.handle, self.contents = nil, nil
      return true
    end
    io.open = open
    function io.lines(path, kind)
      local opened, problem = open(path)
      if not opened then error(problem, 2) end
      return opened:lines(kind)
    end
    function io.type(value)
      if not is(value, "file") then return nil end
      return (rawget(value, "handle") or rawget(value, "contents")) and "file" or "closed file"
    end

    -- Commands.
    class("error", {
      __name = "error",
      __tostring = function(self)
        local message, advice = tostring(rawget(self, "message")), rawget(self, "advice")
        return advice and message .. "; " .. tostring(advice) or message
      end,
    })
    local picture = {}
    function picture:save(path)
      if type(path) == "table" then path = path[1] end
      return host(SAVE, self, path)
    end
    class("picture", {
      __index = picture, __name = "picture",
      __tostring = function(self) return format("picture %s×%s", tostring(self.width), tostring(self.height)) end,
    })
    local function iterator(method, ...)
      local handle, rows, index = host(OPEN, method, ...), {}, 0
      local function following()
        index = index + 1
        if rows and rows[index] == nil then
          rows, index = host(NEXT, handle), 1
          if not rows then host(CLOSE, handle) end
        end
        return rows and rows[index]
      end
      return following, nil, nil, setmetatable({}, {__close = function() host(CLOSE, handle) end})
    end
    local function call(method, ...) return host(CALL, method, ...) end
    local function namespace(run, word)
      return setmetatable({}, {
        __index = function(self, name)
          local function command(...) return run(word .. "." .. name, ...) end
          rawset(self, name, command)
          return command
        end,
        __call = function(_, ...) return run(word, ...) end,
      })
    end
    local function namespaces(run, members)
      return setmetatable(members, {
        __index = function(self, name)
          local words = namespace(run, name)
          rawset(self, name, words)
          return words
        end
      })
    end
    wb = namespaces(call, {
      null = null,
      each = namespaces(iterator, {}),
      emit = function(value) host(EMIT, value) end,
      note = function(...) host(MESSAGE, texts("", ...), false) end,
      warn = warn,
    })

    local arguments = host(ARGUMENTS)
    arg = {[0] = arguments.name}
    for index, argument in pairs(arguments.list) do arg[index] = argument end
    return unpack(arg)
    """#
}
