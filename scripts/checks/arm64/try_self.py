import pathlib, compiling, selftest, time
t=time.time()
tools=compiling.Toolchain(pathlib.Path("/tmp/arm/b"))
f=compiling.emptied(pathlib.Path("/tmp/arm/b/sample"))
print(selftest.failures(tools,f,compiling.PROCESSORS), time.time()-t)
