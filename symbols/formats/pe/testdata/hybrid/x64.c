int leaf(int);
int x64leaf(int a){return a+1;}
int x64part(int a){int b[20];for(int i=0;i<20;i++)b[i]=leaf(a+i);int s=0;for(int i=0;i<20;i++)s+=b[i];return s;}
